"""How the verifier's page is joined from its modules."""

from pathlib import Path

import pytest

from server.web import verifier


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of modules in the place of ours."""
    monkeypatch.setattr(verifier, "STATIC", tmp_path)
    verifier._source.cache_clear()
    return tmp_path


@pytest.fixture(autouse=True)
def forgotten() -> object:
    """Keep the folder's modules out of the tests after these."""
    yield
    verifier._source.cache_clear()


def write(folder: Path, **modules: str) -> None:
    for name, source in modules.items():
        (folder / f"{name}.js").write_text(source)


def test_modules_come_after_those_that_they_import_each_once(folder: Path) -> None:
    write(
        folder,
        page='import { b } from "./b.js";\nimport * as c from "./c.js";\nb(c.d);\n',
        b='import { d as e } from "./c.js";\nexport const b = (f) => f + e;\n',
        c="const x = 1;\nexport { x as d, x };\n",
    )
    script = verifier.joined("page.js")
    assert script.count("// --- c.js") == 1
    assert script.index("// --- c.js") < script.index("// --- b.js") < script.index("// --- page")
    assert "const { d: e } = $c_js;" in script
    assert "return { d: x, x };" in script
    assert "import" not in script
    assert "export" not in script


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("export default 1;\n", "unknown way"),
        ('import d from "./b.js";\n', "unknown way"),
        ('import "./b.js";\n', "unknown way"),
        ('import { b } from "./page.js";\n', "imports itself"),
        ('const a = "</script>";\n', "can't stand in a page"),
        ('const a = "<!--";\n', "can't stand in a page"),
    ],
)
def test_what_can_not_be_joined_is_refused(folder: Path, source: str, said: str) -> None:
    write(folder, page=source, b="export const b = 1;\n")
    with pytest.raises(ValueError, match=said):
        verifier.joined("page.js")


def test_the_page_needs_nothing_from_elsewhere() -> None:
    body = verifier.verifier_page().body.decode()
    assert body.count("<script>") == body.count("</script>") == 1
    for part in ("src=", '<link rel="stylesheet', "@import", "url(", "http-equiv"):
        assert part not in body, part
    assert "The above copyright notice and this permission notice shall be included" in body
    assert "@script@" not in body
    assert "@style@" not in body
