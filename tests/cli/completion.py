#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""completion.py TCPWHY: bash, zsh and fish complete every command, and exactly the options in its help."""
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap  # noqa: E402

# What readline would be asked for; compopt works only while it asks.
BASH = """
source {script}
compopt() {{ :; }}
while IFS= read -r line; do
    COMP_WORDS=($line)
    [[ $line == *' ' ]] && COMP_WORDS+=('')
    COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
    _tcpwhy
    printf '%s\\n' "${{COMPREPLY[@]}}" .
done
"""

FISH = """
source {script}
while read -l line
    complete -C $line | string replace -r '\\t.*' ''
    echo .
end
"""

# An interactive zsh in a terminal of its own; what it would add is written to a file instead.
ZSH = """
zmodload zsh/zpty
zpty shell zsh -f -i
send() {{ zpty -w shell "$1"; }}
send "PROMPT= RPROMPT=; stty -echo; fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -D"
send "compadd() {{ local -a hits; builtin compadd -A hits \\"\\$@\\"; if [[ \\${{@[1,(i)(-|--)]}} == *-(O|A|D)\\ * ]]; then builtin compadd \\"\\$@\\"; else print -l -- \\$hits >> {folder}/out; fi; }}"
send "zstyle ':completion:*' list-grouped no"
send "ask() {{ print . >> {folder}/out; }}"
send "zle -C tell complete-word _main_complete"
send "bindkey '^X' tell"
send "bindkey '^Y' kill-whole-line"
while IFS= read -r line; do
    zpty -n -w shell "$line"$'\\C-x\\C-y'
    send ask
done
send exit
zpty -r shell rest '*NEVER*' 2>/dev/null
zpty -d shell
"""


def commands_of(tool):
    text = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^  ([a-z]+)  ", text[text.index("\nCommands"):], re.M)


def options_of(tool, command):
    text = subprocess.run([tool, *command, "--help"], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^  (?:-\w,|   ) (--[a-z-]+)", text, re.M))


def answers(shell, script, folder, lines):
    """What a shell offers for each line."""
    source = {"bash": BASH, "fish": FISH, "zsh": ZSH}[shell].format(script=shlex.quote(str(script)), folder=folder)
    bare = {"bash": ["--norc", "--noprofile"], "fish": ["--no-config"], "zsh": ["-f"]}[shell]
    done = subprocess.run([shell, *bare, "-c", source], input="".join(f"{line}\n" for line in lines), capture_output=True, text=True, timeout=60,
                          check=False, cwd=folder, env={"PATH": "/usr/bin:/bin", "HOME": str(folder), "TERM": "dumb", "LC_ALL": "C.UTF-8"})
    text = (folder / "out").read_text() if shell == "zsh" and (folder / "out").exists() else done.stdout
    parts = [set(part.split("\n")) - {""} for part in ("\n" + text).split("\n.\n")]
    return parts[:-1] if len(parts) > len(lines) else [{done.stderr or f"{len(parts)} answers: {text[:300]}"}] * len(lines)


def expectations(tool):
    """Lines, and what has to be offered; exactly that for options, at least that for the rest."""
    names = commands_of(tool)
    listed = subprocess.run([tool, "causes"], capture_output=True, text=True, check=True).stdout
    causes, pages = (set(re.findall(r"^([a-z0-9_]+) ", text, re.M)) for text in (listed.partition("\nFailures\n")[0], listed))
    yield "tcpwhy ", {*names, "a capture.pcap"}, "what comes first"
    for command in ((), *((name,) for name in names)):
        yield " ".join(("tcpwhy", *command, "--")), options_of(tool, command), f"options of {' '.join(command) or 'the diagnosis'}"
    yield "tcpwhy graph ", {"sequence", "inflight", "window", "throughput", "rtt", "cwnd"}, "kinds of graphs"
    yield "tcpwhy causes ", pages, "causes and failures"
    yield "tcpwhy completion ", {"bash", "zsh", "fish"}, "shells"
    if "query" in names:
        questions = set(re.findall(r"^([a-z-]+) ", subprocess.run([tool, "query"], capture_output=True, text=True, check=True).stdout, re.M))
        yield "tcpwhy query archive.sqlite ", questions, "questions"
        yield "tcpwhy query --cause ", causes, "values of --cause"
    yield "tcpwhy --color ", {"auto", "always", "never"}, "values of --color"
    yield "tcpwhy follow --side ", {"client", "server"}, "values of --side"
    taken = {c for c in causes if subprocess.run([tool, "--fail-on", c, "--version"], capture_output=True, check=False).returncode == 0}
    yield "tcpwhy --fail-on ", {"any", *taken}, "values of --fail-on"
    yield "tcpwhy flow --svg -o ", {"a capture.pcap"}, "files"


def check(tap, shell, tool, wanted):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "a capture.pcap").touch()
        script = folder / "_tcpwhy"
        script.write_bytes(subprocess.run([tool, "completion", shell], stdout=subprocess.PIPE, check=True).stdout)
        offered = answers(shell, script, folder, [line for line, _, _ in wanted])
    for (_, words, what), found in zip(wanted, offered):
        # Shells quote blanks each in its own way; some offer -f beside --filter.
        found = {re.sub(r"[\\'\"]", "", word).removesuffix("=") for word in found}
        found = {word for word in found if not re.fullmatch(r"-\w", word)}
        exact = what.startswith("options")
        tap.check(f"{shell} offers {what}", [] if found == words or (not exact and words <= found) else f"missing {words - found}, besides {found - words}")


def main():
    tool = pathlib.Path(sys.argv[1]).resolve()
    wanted = list(expectations(tool))
    with Tap() as tap:
        for shell in ("bash", "zsh", "fish"):
            if shutil.which(shell):
                check(tap, shell, tool, wanted)
            else:
                tap.skip(f"{shell} offers anything", f"no {shell} here")
        done = subprocess.run([tool, "completion", "tcsh"], capture_output=True, text=True, check=False)
        tap.check("another shell is refused", [] if done.returncode == 2 and "bash, zsh or fish" in done.stderr else f"{done.returncode}: {done.stderr}")


if __name__ == "__main__":
    main()
