// The shape of `Experimental_SandboxSession` of the AI SDK 7, written down here: version 6, which runs on Node 20, has no
// type for it. A test compares the two.

interface Aborting {
  readonly abortSignal?: AbortSignal | undefined;
}

export interface SandboxPath extends Aborting {
  readonly path: string;
}

export interface SandboxText extends SandboxPath {
  /** Default `utf-8`. */
  readonly encoding?: string | undefined;
}

export interface SandboxCommand extends Aborting {
  readonly command: string;
  /** Default: the workspace. */
  readonly workingDirectory?: string | undefined;
  readonly env?: Record<string, string> | undefined;
}

export interface SandboxProcess {
  /** Standard output and standard error, in their real order. */
  readonly stdout: ReadableStream<Uint8Array>;
  /** What the sandbox has to say. */
  readonly stderr: ReadableStream<Uint8Array>;
  wait(): Promise<{ exitCode: number }>;
  kill(): Promise<void>;
}

export interface WritableSandboxProcess extends SandboxProcess {
  readonly stdin: WritableStream<Uint8Array>;
}

export interface SandboxSpawn {
  (options: SandboxCommand & { readonly stdin: true }): Promise<WritableSandboxProcess>;
  (options: SandboxCommand & { readonly stdin?: false }): Promise<SandboxProcess>;
  (options: SandboxCommand & { readonly stdin?: boolean }): Promise<SandboxProcess | WritableSandboxProcess>;
}

export type SandboxEntryKind = "file" | "directory" | "symlink" | "other";

export interface SandboxSession {
  readonly description: string;
  readonly readFile: (options: SandboxPath) => Promise<ReadableStream<Uint8Array> | null>;
  readonly readBinaryFile: (options: SandboxPath) => Promise<Uint8Array | null>;
  readonly readTextFile: (options: SandboxText & { readonly startLine?: number | undefined; readonly endLine?: number | undefined }) => Promise<string | null>;
  readonly writeFile: (options: SandboxPath & { readonly content: ReadableStream<Uint8Array> }) => Promise<void>;
  readonly writeBinaryFile: (options: SandboxPath & { readonly content: Uint8Array }) => Promise<void>;
  readonly writeTextFile: (options: SandboxText & { readonly content: string }) => Promise<void>;
  readonly stat: (options: SandboxPath) => Promise<{ type: "file" | "directory" | "other"; size: number } | null>;
  readonly listDirectory: (options: SandboxPath) => Promise<{ name: string; type: SandboxEntryKind }[] | null>;
  readonly deleteFile: (options: SandboxPath) => Promise<boolean>;
  readonly spawn: SandboxSpawn;
  readonly run: (options: SandboxCommand) => Promise<{ exitCode: number; stdout: string; stderr: string }>;
}
