import { describe, expect, it } from "vitest";
import { findDangerousCommand } from "../../src/commands/find-dangerous-command.ts";

const key = (script: string): string | undefined => findDangerousCommand(script)?.key;

describe("[P26] commands that delete or force are found", () => {
  it.each([
    ["rm -r x", "rm_recursive_or_force"],
    ["rm -R x", "rm_recursive_or_force"],
    ["rm -f x", "rm_recursive_or_force"],
    ["rm --recursive x", "rm_recursive_or_force"],
    ["rm --force x", "rm_recursive_or_force"],
    ["rm --rec x", "rm_recursive_or_force"],
    ["rm -rf x", "rm_recursive_or_force"],
    ["rm -vrf x", "rm_recursive_or_force"],
    ["rm x -rf", "rm_recursive_or_force"],
    ["/bin/rm -rf x", "rm_recursive_or_force"],
    ["\\rm -rf x", "rm_recursive_or_force"],
    [`r""m -r'f' x`, "rm_recursive_or_force"],
    ["$'\\x72m' -rf x", "rm_recursive_or_force"],
    ["find . -name '*.o' -delete", "find_delete"],
    ["find . -exec rm {} \\;", "find_delete"],
    ["find . -execdir /bin/rm {} +", "find_delete"],
    ["find . -exec env A=1 rm {} +", "find_delete"],
    ["find . -exec sh -c 'rm -rf \"$1\"' _ {} \\;", "rm_recursive_or_force"],
    ["git clean -f", "git_clean_force"],
    ["git clean -fdx", "git_clean_force"],
    ["git clean --force -d", "git_clean_force"],
    ["git -C sub -c a.b=c --no-pager clean -xdf", "git_clean_force"],
  ])("%s", (script, expected) => expect(key(script)).toBe(expected));
});

describe("[P26] wherever in the script they stand", () => {
  it.each([
    "ls | xargs -0 rm -f",
    "true && rm -rf x",
    "true || rm -rf x; echo",
    "( cd a; rm -rf b )",
    "{ rm -rf b; } > log",
    "echo $(rm -rf x)",
    'echo "before $(rm -rf x)"',
    "echo `rm -rf x`",
    "a=$(rm -rf x)",
    "cat <(rm -rf x)",
    "cat <<E\n$(rm -rf x)\nE",
    "if rm -rf x; then :; fi",
    "if true; then :; elif rm -rf x; then :; else :; fi",
    "for i in a b; do rm -rf $i; done",
    "while read l; do rm -rf \"$l\"; done < list",
    "case $x in a) rm -rf x ;; esac",
    "f() { rm -rf x; }",
    "function f { rm -rf x; }; f",
    "! rm -rf x",
    "rm -rf x &",
    "coproc rm -rf x",
    "[[ -n $(rm -rf x) ]]",
    "(( $(rm -rf x) ))",
    "echo ${x:-$(rm -rf y)}",
    "A=1 B=2 >log rm -rf x",
  ])("%s", (script) => expect(key(script)).toBe("rm_recursive_or_force"));
});

describe("[P27] wrappers are taken off with their options and assignments", () => {
  it.each([
    "sudo rm -rf x",
    "sudo -u bob -E A=1 rm -rf x",
    "sudo --user=bob -- rm -rf x",
    "env rm -rf x",
    "env -i -u HOME A=1 B=2 rm -rf x",
    "env -S 'rm -rf x'",
    "xargs rm -rf < list",
    "xargs -0 -n 1 -I {} rm -rf {}",
    "xargs --max-args=3 rm -f",
    "timeout 5 rm -rf x",
    "timeout -k 1 --signal=KILL 5s rm -rf x",
    "nice -n 5 rm -rf x",
    "nice -5 rm -rf x",
    "nohup rm -rf x &",
    "time rm -rf x",
    "time -p rm -rf x",
    "/usr/bin/time -f %e rm -rf x",
    "command rm -rf x",
    "command -p rm -rf x",
    "sudo env nice timeout 3 nohup rm -rf x",
  ])("%s", (script) => expect(key(script)).toBe("rm_recursive_or_force"));

  it("command -v and -V run nothing", () => {
    expect(key("command -v rm -rf")).toBeUndefined();
    expect(key("command -V rm -f")).toBeUndefined();
  });
});

describe("[P28] inline scripts are parsed again", () => {
  it.each([
    "bash -c 'rm -rf x'",
    'sh -c "rm -rf x"',
    "zsh -c 'rm -rf x'",
    "dash -c 'rm -rf x'",
    "ksh -c 'rm -rf x'",
    "bash -lc 'rm -rf x'",
    "bash -l -c 'rm -rf x'",
    "bash -o pipefail -c 'rm -rf x'",
    "bash -c -- 'rm -rf x'",
    "/bin/bash -xec 'cd a && rm -rf b' name arg",
    "sudo bash -c 'rm -rf x'",
    "bash -c \"bash -c 'rm -rf x'\"",
    "bash -c 'echo $(sh -c \"rm -rf x\")'",
  ])("%s", (script) => expect(key(script)).toBe("rm_recursive_or_force"));

  it("a script that is not literal, or not valid, is not judged", () => {
    expect(key('bash -c "$SCRIPT"')).toBeUndefined();
    expect(key("bash -c 'rm -rf ('")).toBeUndefined();
    expect(key("bash script.sh -c 'rm -rf x'")).toBeUndefined();
  });

  it("[P30] more than eight shells deep is a hit of its own", () => {
    const nest = (depth: number, inner: string): string => (depth === 0 ? inner : nest(depth - 1, `bash -c ${quote(inner)}`));
    expect(key(nest(8, "true"))).toBeUndefined();
    expect(key(nest(8, "rm -rf x"))).toBe("rm_recursive_or_force");
    expect(key(nest(9, "true"))).toBe("nesting_too_deep");
  });
});

describe("[P29] harmless commands, dynamic programs and broken scripts are no hits", () => {
  it.each([
    "rm a.txt",
    "rm -i a.txt",
    "rm -- -rf",
    "rm -v --interactive x",
    "echo rm -rf x",
    "echo 'rm -rf x'",
    "# rm -rf x",
    "cat <<'E'\nrm -rf x\n$(rm -rf y)\nE",
    "git reset --hard",
    "git clean -n",
    "git clean -ef",
    "git commit -m 'clean -f'",
    "git log --grep clean -f",
    "mv a b",
    "> file",
    "find . -name rm",
    "find . -exec echo rm -rf {} \\;",
    "$CMD -rf x",
    '"$CMD" -rf x',
    "$(which rm) -rf x",
    "rm -$FLAGS x",
    "rm -rf (",
    "if rm -rf x",
    "rmdir -p x",
    "alias rm='rm -rf'",
  ])("%s", (script) => expect(key(script)).toBeUndefined());

  it("dynamic operands do not hide literal flags", () => {
    expect(key("rm -rf $DIR")).toBe("rm_recursive_or_force");
    expect(key('rm -rf "${DIR}/x" $(list)')).toBe("rm_recursive_or_force");
    expect(key('rm -rf"$MORE" x')).toBe("rm_recursive_or_force");
  });

  it("a script over 16 KiB is not judged", () => {
    expect(key(`rm -rf x # ${"a".repeat(17_000)}`)).toBeUndefined();
  });

  it("hostile input neither throws nor hangs", () => {
    for (const script of ["$(".repeat(5000), "(".repeat(16_000), "`".repeat(9999), "\0rm -rf x", "{".repeat(8000), "a|".repeat(8000), "<<".repeat(5000)]) {
      expect(() => findDangerousCommand(script)).not.toThrow();
    }
  });
});

describe("[P30] the span covers the sub-command, in bytes", () => {
  it("of the first hit in the order of the text", () => {
    expect(spanned("echo hi; rm -rf a && git clean -f")).toBe("rm -rf a");
    expect(spanned("git clean -f; rm -rf a")).toBe("git clean -f");
  });

  it("after characters of several bytes", () => expect(spanned("echo é😀; rm -rf ü | cat")).toBe("rm -rf ü"));

  it("with its wrappers and assignments", () => expect(spanned("ls; A=1 sudo -u bob rm -rf x; ls")).toBe("A=1 sudo -u bob rm -rf x"));

  it("inside substitutions and inline scripts", () => {
    expect(spanned('echo "$(rm -rf x)"')).toBe("rm -rf x");
    expect(spanned("bash -c 'cd a; rm -rf b'; ls")).toBe("rm -rf b");
  });

  it("of the whole shell where quoting moves the letters", () => {
    expect(spanned("ls; bash -c \"rm -rf \\\"a b\\\"\"; ls")).toBe('bash -c "rm -rf \\"a b\\""');
  });
});

function spanned(script: string): string {
  const found = findDangerousCommand(script);
  const bytes = Buffer.from(script);
  expect(found?.text).toBe(bytes.subarray(found?.span.start, found?.span.end).toString());
  return found?.text ?? "";
}

/** Quoted as shortly as possible: deep nesting must stay below the length that is judged. */
function quote(text: string): string {
  const single = `'${text.replaceAll("'", `'\\''`)}'`;
  const double = `"${text.replaceAll(/["\\$`]/g, "\\$&")}"`;
  return single.length < double.length ? single : double;
}
