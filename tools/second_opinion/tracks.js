// Play scenes with prismarine-physics and print where the player is after every tick.
//
//     node tracks.js FOLDER < scenes.json > tracks.json
//
// FOLDER holds node_modules with prismarine-physics, prismarine-block, prismarine-registry and vec3.
// The library has no rules for keys; those for sprinting (held until forward is released or a wall is met) and
// sneaking (a tick late) stand here.
const path = require('path')
const load = name => require(require.resolve(name, { paths: [path.resolve(process.argv[2])] }))

const VERSION = '1.16.5'
const FEET = 64
const registry = load('prismarine-registry')(VERSION)
const Block = load('prismarine-block')(registry)
const { Physics } = load('prismarine-physics')
const { Vec3 } = load('vec3')

const STATES = { water: level => `[level=${level}]`, stone_slab: () => '[type=bottom,waterlogged=false]' }

function voxel (name, level) {
  return Block.fromString(`minecraft:${name}` + (STATES[name] ? STATES[name](level) : ''), 0)
}

function worldOf (scene) {
  const cells = new Map()
  for (const [x0, y0, z0, x1, y1, z1, name, level] of scene.blocks) {
    for (let x = x0; x <= x1; x++) {
      for (let y = y0; y <= y1; y++) {
        for (let z = z0; z <= z1; z++) cells.set(`${x},${y},${z}`, voxel(name, level))
      }
    }
  }
  const stone = voxel('stone')
  const air = voxel('air')
  return {
    getBlock (at) {
      const p = at.floored()
      const found = cells.get(`${p.x},${p.y},${p.z}`) || (p.y < FEET ? stone : air)
      const block = Object.assign(Object.create(Object.getPrototypeOf(found)), found)
      block.position = p
      return block
    }
  }
}

function play (scene) {
  const world = worldOf(scene)
  const physics = Physics(registry, world)
  const [x, y, z, entry] = scene.start
  const control = {}
  const player = {
    pos: new Vec3(x, y, z),
    vel: new Vec3(0, 0, 0),
    onGround: true,
    isInWater: false,
    isInLava: false,
    isInWeb: false,
    isCollidedHorizontally: false,
    isCollidedVertically: false,
    jumpTicks: 0,
    jumpQueued: false,
    yaw: Math.PI - entry * Math.PI / 32768,
    pitch: 0,
    control,
    jumpBoost: 0,
    slowFalling: 0,
    levitation: 0,
    dolphinsGrace: 0,
    depthStrider: 0,
    attributes: {}
  }
  const track = []
  let sneaked = false
  let sprints = false
  for (const [ticks, names] of scene.keys) {
    const keys = new Set(names.split(' '))
    for (let tick = 0; tick < ticks; tick++) {
      const ahead = keys.has('forward') && !keys.has('back')
      sprints = ahead && (sprints || (keys.has('sprint') && !sneaked)) &&
        !player.isCollidedHorizontally && !player.isInWater
      for (const key of ['forward', 'back', 'left', 'right', 'jump']) control[key] = keys.has(key)
      control.sneak = sneaked
      control.sprint = sprints
      physics.simulatePlayer(player, world)
      sneaked = keys.has('sneak')
      track.push([player.pos.x, player.pos.y, player.pos.z])
    }
  }
  return track
}

const scenes = JSON.parse(require('fs').readFileSync(0, 'utf8'))
process.stdout.write(JSON.stringify(scenes.map(play)))
