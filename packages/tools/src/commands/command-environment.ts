/** Told to every program that would wait for a person. The sequence editor fails, so no history is rewritten unseen. */
const antiHangEnvironment: Readonly<Record<string, string>> = {
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "false",
  GIT_TERMINAL_PROMPT: "0",
  TERM: "dumb",
  NO_COLOR: "1",
  PAGER: "cat",
  GIT_PAGER: "cat",
};

export interface EnvironmentChoices {
  readonly antiHang: boolean;
  readonly secrets: Readonly<Record<string, string>>;
  /** The terminal the command gets, if any. */
  readonly terminal?: string;
}

/**
 * The whole environment of a command. Messages are in English, because the sandbox recognises a refusal by its text,
 * and text is UTF-8 whatever the host's locale.
 */
export function commandEnvironment(session: Readonly<Record<string, string>>, choices: EnvironmentChoices): Readonly<Record<string, string>> {
  const { LC_ALL: all, ...kept } = session;
  const locales = [all, kept["LC_CTYPE"], kept["LANG"]];
  const utf8 = locales.find((locale) => locale !== undefined && /utf-?8$/i.test(locale)) ?? fallbackLocale;
  return {
    LANG: utf8,
    TERM: "dumb",
    ...kept,
    ...(choices.antiHang && antiHangEnvironment),
    ...(choices.terminal !== undefined && { TERM: choices.terminal }),
    LC_CTYPE: utf8,
    LC_MESSAGES: "C",
    ...choices.secrets,
  };
}

const fallbackLocale = process.platform === "darwin" ? "UTF-8" : "C.UTF-8";
