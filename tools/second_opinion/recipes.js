// Print the crafting recipes of prismarine-recipe as JSON.
//
//     node recipes.js FOLDER > recipes.json
//
// A recipe is [product, count, needs a table, rows of item names or null, names without a shape or null].
const path = require('path')
const load = name => require(require.resolve(name, { paths: [path.resolve(process.argv[2])] }))

const registry = load('prismarine-registry')('1.16.5')
const Recipe = load('prismarine-recipe')(registry).Recipe
const name = cell => cell.id < 0 ? '' : registry.items[cell.id].name

const found = []
for (const item of registry.itemsArray) {
  for (const recipe of Recipe.find(item.id, null)) {
    found.push([
      item.name,
      recipe.result.count,
      recipe.requiresTable,
      recipe.inShape && recipe.inShape.map(row => row.map(name)),
      recipe.ingredients && recipe.ingredients.map(name)
    ])
  }
}
process.stdout.write(JSON.stringify(found))
