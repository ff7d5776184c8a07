/** Where things are on this machine: every path canonical. Taken once a session, and part of every policy. */
export interface SandboxEnvironment {
  /** The user's home directory. */
  readonly home: string;
  /** Every home whose credentials are kept: `home`, and the passwd entry's where that differs. */
  readonly credentialHomes: readonly string[];
  /** Directories anyone may write, `$TMPDIR` last. */
  readonly tempRoots: readonly string[];
  /** Fencepost's own state: `<home>/.fencepost` unless the embedder chose another place. */
  readonly stateHome: string;
  /** Directories of instructions that a model follows: never writable. */
  readonly skillRoots: readonly string[];
  /** Git directories outside the workspace that a `.git` file of it points to, back-link checked. */
  readonly gitDirs: readonly string[];
  /** What the embedder protects besides. It can add, never remove. */
  readonly additions: TierAdditions;
  /** Second names of protected paths: where one that is a symlink leads, or the name it was given by. */
  readonly aliases?: ProtectedAliases;
  /** Decides which terminals are writable devices. Default: the platform of this process. */
  readonly platform?: "linux" | "darwin" | (string & {});
  /** The file system takes `~/.SSH` for `~/.ssh`: protected paths outside the workspace ignore case too. Default false. */
  readonly foldsCase?: boolean;
}

export interface ProtectedAliases {
  readonly hardProtectedPaths: readonly string[];
  readonly credentialPaths: readonly string[];
  /** Where protected names of the workspace lead that are symlinks. */
  readonly linkedPlaces?: readonly LinkedPlace[];
}

/** A place that counts as a protected name, because that name is a symlink to it or through it. */
export interface LinkedPlace {
  readonly path: string;
  readonly tier: "hard-protected" | "sensitive";
  /** `entry`: what a directory of this kind holds is ordinary. */
  readonly covers: "entry" | "subtree";
}

/** Absolute paths (with all below them) and names inside the workspace that an embedder adds to a tier. */
export interface TierAdditions {
  readonly hardProtectedPaths: readonly string[];
  readonly sensitivePaths: readonly string[];
  readonly credentialPaths: readonly string[];
  /** Names of files or directories, compared ASCII case-insensitively, anywhere in the workspace. */
  readonly hardProtectedNames: readonly string[];
  readonly sensitiveNames: readonly string[];
}

export const noAdditions: TierAdditions = {
  hardProtectedPaths: [],
  sensitivePaths: [],
  credentialPaths: [],
  hardProtectedNames: [],
  sensitiveNames: [],
};
