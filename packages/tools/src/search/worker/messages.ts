import type { MessagePort } from "node:worker_threads";
import type { FileMatches, GlobRequest, GrepRequest, SearchBudget, SearchFaultReason, SearchScope } from "../search-backend.ts";
import type { FileCounts } from "./file-work.ts";
import type { StopReason } from "./stop.ts";

/** What all threads of a search are told. */
export interface Job extends Omit<SearchScope, "budget" | "signal">, Required<SearchBudget> {
  readonly control: SharedArrayBuffer;
  readonly work: GrepWork | GlobWork | SurveyWork;
}

/** What a thread sees for itself besides. */
export interface ThreadJob extends Job {
  /** Everything below the root lies on plain disks: see `isOnPlainDisk`. */
  readonly onPlainDisk: boolean;
}

export interface GrepWork extends Omit<GrepRequest, keyof SearchScope> {
  readonly kind: "grep";
  /** While nothing is found, it is counted what would match if the pattern meant this. */
  readonly otherReadings: readonly OtherReading[];
}

export interface OtherReading {
  readonly counts: "otherCaseLines" | "plainTextLines" | "anyLineEndLines";
  readonly pattern: string;
  readonly ignoreCase: boolean;
}

export interface GlobWork extends Omit<GlobRequest, keyof SearchScope> {
  readonly kind: "glob";
}

/** Counts what a search left out, to say why it found nothing. */
export interface SurveyWork {
  readonly kind: "survey";
  readonly glob: string;
  /** How the glob is meant: see `GlobMatcherOptions`. */
  readonly namesAtAnyDepth: boolean;
}

export type ToWorker =
  /** Walk, and search what no helper takes. Helpers announce themselves through `joins`. */
  | { readonly kind: "lead"; readonly job: Job; readonly joins: MessagePort }
  /** Search what the leader sends through `batches`; undefined: that was all. `slot` of the control memory is this helper's. */
  | { readonly kind: "help"; readonly job: Job; readonly batches: MessagePort; readonly slot: number };

/** Files to search. Numbers grow in walk order, with gaps: a batch that is split gives the second half a number between. */
export interface Batch {
  readonly number: number;
  /** The number of the batch that follows. */
  readonly next: number;
  readonly files: readonly string[];
}

export interface Join {
  readonly batches: MessagePort;
  readonly slot: number;
}

export interface NewestFile {
  /** As it is shown. */
  readonly path: string;
  readonly modifiedMs: number;
}

export interface BatchResult {
  readonly kind: "result";
  readonly batch: number;
  readonly files?: readonly FileMatches[];
  readonly list?: Uint8Array;
  /** What this message weighs in `bytesOnTheWay`. */
  readonly bytes: number;
  /** Set in the batch's last message: the number of the batch that follows. */
  readonly next: number | undefined;
}

export interface ThreadReport extends Readonly<FileCounts> {
  readonly kind: "report";
  /** Files that ignore rules left out: those of whole directories only where nothing was found. */
  readonly ignoredFiles: number;
  readonly ignoredComplete: boolean;
  /** The same of hidden files. */
  readonly hiddenFiles: number;
  readonly hiddenComplete: boolean;
  readonly newest: readonly NewestFile[];
  readonly survey?: Survey;
  readonly stopped?: StopReason;
}

export interface Survey {
  readonly ignoredFiles: number;
  /** Files that the glob matches where wildcards stand for hidden names, too. */
  readonly hiddenFiles: number;
  readonly hiddenComplete: boolean;
  readonly otherCaseFiles: number;
  readonly deeperFiles: number;
  readonly namesDirectory: boolean;
  readonly complete: boolean;
}

/** The search cannot be run as asked, or went wrong. */
export interface JobFault {
  readonly kind: "fault";
  readonly reason: SearchFaultReason;
  readonly message: string;
}

export type FromWorker = { readonly kind: "ready" } | BatchResult | ThreadReport | JobFault;
