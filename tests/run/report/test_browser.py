"""The page in a real browser, by mouse and by keyboard, on a phone, without a network."""

import base64
import io
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PIL import Image

from optimus_gym.run.evaluate import Evaluation, Pictures, evaluate
from optimus_gym.run.report.page import page as page_of
from optimus_gym.run.results.results_folder import read_results
from tests.run.report.folders import recounted

webdriver = pytest.importorskip("selenium.webdriver")
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
DRIVER = shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="needs Chromium and its driver"
)
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
TASKS = ("CraftStick", "CraftWoodenAxe", "Diamond")
SOME = Evaluation(tasks=TASKS, episodes=9, seed=50_900, settings={"ticks": 400})


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """Return the page of a played folder, written by a real process, and the folder's rows."""
    home = tmp_path_factory.mktemp("page")
    rows = list(evaluate(SOME, home / "played", rows=9, pictures=Pictures(videos="Diamond:0")))
    command = [sys.executable, "-m", "optimus_gym.run.cli", "report", str(home / "played")]
    run = subprocess.run(
        [*command, "--out", str(home / "page.html")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr
    assert "page.html" in run.stdout
    return home / "page.html", {row.key: row for row in rows}


@pytest.fixture
def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,900"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


def opened(browser, page, place=""):
    browser.get(page.as_uri() + place)
    limit = time.monotonic() + 30
    while browser.execute_script("return document.documentElement.dataset.ready") != "true":
        assert time.monotonic() < limit, browser.get_log("browser")
        time.sleep(0.02)
    return browser


def found(browser, selector):
    return browser.find_elements(By.CSS_SELECTOR, selector)


def shown_episode(browser):
    (box,) = found(browser, "#episode")
    return box


def test_the_pages_numbers_agree_with_the_rows(browser, page):
    path, _ = page
    opened(browser, path)
    by_group, by_task = found(browser, "#results table")
    found(browser, "#results details summary")[0].click()
    for table, field in ((by_group, "group"), (by_task, "task")):
        counted = recounted(path.parent / "played", field)
        lines = {
            line.find_element(By.TAG_NAME, "th").text: [
                cell.text for cell in line.find_elements(By.TAG_NAME, "td")
            ]
            for line in table.find_elements(By.CSS_SELECTOR, "tbody tr")
        }
        assert lines.keys() == counted.keys()
        for name, (episodes, successes, ticks) in counted.items():
            assert lines[name][0] == str(episodes)
            assert lines[name][1] == f"{100 * successes / episodes:.1f} %"
            assert lines[name][3] == ("–" if ticks is None else f"{ticks:,.0f}")
    assert "privileged" in found(browser, "#results .card")[0].text
    assert len(found(browser, "#plots svg")) == 3


def test_the_page_fetches_nothing_and_logs_no_error(browser, page):
    path, _ = page
    opened(browser, path)
    asked = [
        json.loads(entry["message"])["message"]["params"]["request"]["url"]
        for entry in browser.get_log("performance")
        if "Network.requestWillBeSent" in entry["message"] and '"request":' in entry["message"]
    ]
    assert path.as_uri() in asked
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def test_a_failure_leads_to_its_episode_with_frames_and_film(browser, page):
    path, rows = page
    opened(browser, path)
    found(browser, "#failures button")[0].click()
    box = shown_episode(browser)
    failed = rows["Diamond", 0]
    assert box.text.startswith(f"{failed.task}, episode {failed.episode}")
    for text in (
        f"{failed.ticks:,} of 400 ticks",
        f"seed {failed.seed}",
        failed.subgoals[0].subgoal.replace("_", " "),
    ):
        assert text in box.text
    frames = box.find_elements(By.CSS_SELECTOR, ".frame")
    assert len(frames) == len(failed.subgoals) + 1
    source = frames[0].value_of_css_property("background-image")
    with Image.open(io.BytesIO(base64.b64decode(source.split(",")[1].rstrip('")')))) as sheet:
        assert sheet.size[0] % 160 == sheet.size[1] % 90 == 0
    assert len(box.find_elements(By.CSS_SELECTOR, ".timeline span")) == len(failed.subgoals)
    script = "const v = document.querySelector('video'); return [v.src, v.error && v.error.message]"
    link, error = browser.execute_script(script)
    assert Path(link.removeprefix("file://")).is_file()
    assert error is None
    assert browser.execute_script("return document.activeElement.id") == "episode"


def test_episodes_are_filtered_and_listed_in_pages(browser, page):
    path, rows = page
    opened(browser, path)
    assert found(browser, "#found")[0].text == "27 episodes"
    assert len(found(browser, "#list button")) == 24
    found(browser, "#on")[0].click()
    assert len(found(browser, "#list button")) == 3
    assert not found(browser, "#on")[0].is_enabled()
    Select(found(browser, "#by-task")[0]).select_by_visible_text("Diamond")
    assert found(browser, "#found")[0].text == "9 episodes"
    Select(found(browser, "#by-status")[0]).select_by_visible_text("success")
    assert found(browser, "#found")[0].text == "0 episodes"
    Select(found(browser, "#by-task")[0]).select_by_visible_text("all")
    good = sum(row.success for row in rows.values())
    assert found(browser, "#found")[0].text == f"{good} episodes"


def test_the_page_can_be_used_by_keyboard(browser, page):
    path, _ = page
    opened(browser, path)
    active = browser.switch_to.active_element
    active.send_keys(Keys.TAB)
    assert browser.switch_to.active_element.text == "Skip to the results"
    for _ in range(80):
        browser.switch_to.active_element.send_keys(Keys.TAB)
        if browser.execute_script("return document.activeElement.closest('#list') !== null"):
            break
    else:
        pytest.fail("the list cannot be reached")
    first = browser.switch_to.active_element
    first.send_keys(Keys.ARROW_DOWN)
    second = browser.switch_to.active_element
    assert second.get_attribute("data-place") == "1"
    second.send_keys(Keys.ENTER)
    assert shown_episode(browser).is_displayed()
    assert browser.execute_script("return document.activeElement.id") == "episode"


def test_a_link_opens_its_episode(browser, page):
    path, rows = page
    opened(browser, path, "#episode/0/CraftWoodenAxe/4")
    assert shown_episode(browser).text.startswith("CraftWoodenAxe, episode 4")
    assert f"{rows['CraftWoodenAxe', 4].ticks:,} of" in shown_episode(browser).text


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_a_phones_width(browser, page, scheme):
    path, _ = page
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    opened(browser, path)
    found(browser, "#failures button")[0].click()
    wide = browser.execute_script("return document.documentElement.scrollWidth")
    assert wide == 390
    colour = "return getComputedStyle(document.body).%s.match(/\\d+/g).slice(0, 3).map(Number)"
    back, ink = (
        sum(browser.execute_script(colour % name)) / 3 for name in ("backgroundColor", "color")
    )
    assert (back < 60 and ink > 200) if scheme == "dark" else (back > 200 and ink < 60)
    line = "return getComputedStyle(document.querySelector('#plots text')).fill"
    words = browser.execute_script(line)
    assert words == browser.execute_script("return getComputedStyle(document.body).color")


def test_a_page_without_room_links_frames_in_the_folder(browser, page, tmp_path):
    path, _ = page
    folder = shutil.copytree(path.parent / "played", tmp_path / "50 % #1?")
    bare = tmp_path / "bare.html"
    bare.write_text(page_of([read_results(folder)], [], bare, size=1))
    opened(browser, bare, "#episode/0/CraftStick/1")
    source = found(browser, "#episode .frame")[0].value_of_css_property("background-image")
    assert source == f'url("{(folder / "frames" / "CraftStick_1.webp").as_uri()}")'
