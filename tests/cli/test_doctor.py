from __future__ import annotations

from ragclean.cli import main


def test_a_sound_installation_passes_with_one_line_a_finding(capsys):
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "everything is in order"
    assert not [line for line in lines if line.startswith("WRONG")]
    for subject in ("ragclean", "numpy", "model file", "encoder", "profile", "equivalence", "self-test"):
        assert any(subject in line for line in lines), subject


def test_an_encoder_that_cannot_be_had_is_a_finding_and_code_1(capsys):
    assert main(["doctor", "--encoder", "/no/such/model"]) == 1
    shown = capsys.readouterr()
    assert any(line.startswith("WRONG  encoder: ") for line in shown.out.splitlines())
    assert "numpy" in shown.out  # the rest of the report is there
    assert shown.err == ""


def test_a_missing_data_file_is_found(monkeypatch, tmp_path, capsys):
    import ragclean.models

    monkeypatch.setattr(ragclean.models, "__file__", str(tmp_path / "__init__.py"))
    assert main(["doctor"]) == 1
    assert "the installation is incomplete" in capsys.readouterr().out
