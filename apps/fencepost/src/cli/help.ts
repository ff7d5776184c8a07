import type { Command } from "./command.ts";
import { commonOptions, optionSpec, type OptionName } from "./options.ts";

const introduction = "Bounded file and shell tools for coding agents, inside a fence the kernel enforces.";

export function overallHelp(commands: readonly Command[]): string {
  const rows = commands.map((command) => [`fencepost ${command.name}${command.usage === "" ? "" : ` ${command.usage}`}`, command.summary] as const);
  return [
    introduction,
    "",
    "Commands",
    ...table(rows),
    "",
    "Common options",
    ...optionRows(commonOptions),
    "",
    "Exit codes: 0 succeeded, 1 failed, 2 usage, 3 denied, 4 sandbox unavailable, 129 terminal gone, 130 interrupted, 143 terminated.",
    "`fencepost <command> --help` says more.",
    "",
  ].join("\n");
}

export function commandHelp(command: Command): string {
  return [
    `fencepost ${command.name}${command.usage === "" ? "" : ` ${command.usage}`}`,
    "",
    command.summary,
    ...(command.details === undefined ? [] : ["", ...command.details]),
    "",
    "Options",
    ...optionRows([...command.options, "help"]),
    "",
  ].join("\n");
}

function optionRows(names: readonly OptionName[]): readonly string[] {
  return table(
    names.map((name) => {
      const { value, help } = optionSpec(name);
      return [`--${name}${value === undefined ? "" : ` ${value}`}`, help] as const;
    }),
  );
}

function table(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
