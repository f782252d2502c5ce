"""The completion script: the shell itself accepts it, and it knows every command."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from ragclean.cli.app import build_parser, main


def commands():
    return next(a for a in build_parser()._actions if hasattr(a, "choices") and isinstance(a.choices, dict)).choices


def test_bash_reads_it_and_completes_a_command(capsys, tmp_path):
    assert main(["completion", "bash"]) == 0
    script = tmp_path / "ragclean.bash"
    script.write_text(capsys.readouterr().out, encoding="utf-8")
    asked = f'source "{script}"; COMP_WORDS=(ragclean ref); COMP_CWORD=1; ' + (
        'complete -p ragclean | sed "s/.*-F \\([^ ]*\\).*/\\1/" > /dev/null; '
        "f=$(complete -p ragclean | grep -o '\\-F [^ ]*' | cut -c4-); $f ragclean ref ragclean; echo ${COMPREPLY[@]}"
    )
    done = subprocess.run([shutil.which("bash"), "-c", asked], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["refine"], done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_every_command_is_known(shell, capsys):
    main(["completion", shell])
    script = capsys.readouterr().out
    assert all(name in script for name in commands())


@pytest.mark.parametrize("command", sorted(commands()))
def test_every_command_explains_itself_with_an_example_or_its_exit_codes(command, capsys):
    with pytest.raises(SystemExit):
        main([command, "--help"])
    help_text = capsys.readouterr().out
    assert "usage: ragclean" in help_text
    assert "exit codes" in help_text or "example" in help_text.lower()
