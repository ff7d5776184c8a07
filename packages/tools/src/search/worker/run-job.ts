import { receiveMessageOnPort, type MessagePort } from "node:worker_threads";
import { PatternError } from "../../regex/pattern-error.ts";
import { globMatcher } from "../glob/glob-matcher.ts";
import { GlobError } from "../glob/glob-syntax.ts";
import { controlSlots, napMs } from "./control.ts";
import { Dispatcher, helperLeft, splitForLeader, tellLeader } from "./dispatcher.ts";
import { noCounts, type FileWork } from "./file-work.ts";
import { GlobFiles } from "./glob-files.ts";
import { GrepFiles } from "./grep-files.ts";
import type { Batch, FromWorker, Job, ThreadJob, ThreadReport, ToWorker } from "./messages.ts";
import { hintTimeoutMs } from "./hint-limits.ts";
import { LeftOutFiles } from "./left-out-files.ts";
import { Outbox } from "./outbox.ts";
import { isOnPlainDisk } from "../disk/plain-disk.ts";
import { Stop, type StopReason } from "./stop.ts";
import { survey } from "./survey.ts";
import { walkOptions } from "./walk-options.ts";
import { walk } from "./walk.ts";

type Send = (message: FromWorker) => void;

/** Runs one thread's part of a search, from start to end, without returning to the event loop. */
export function runJob(message: ToWorker, send: Send): void {
  const { job } = message;
  let thread: JobThread | undefined;
  try {
    thread = new JobThread(job, send);
    if (message.kind === "lead") thread.lead(message.joins);
    else thread.help(message.batches, message.slot);
  } catch (error) {
    if (error instanceof Stop && thread) send(thread.report(error.reason));
    else if (error instanceof PatternError) send({ kind: "fault", reason: { kind: "invalid", field: "pattern" }, message: error.message });
    else if (error instanceof GlobError) send({ kind: "fault", reason: { kind: "invalid", field: job.work.kind === "glob" ? "pattern" : "glob" }, message: error.message });
    else send({ kind: "fault", reason: { kind: "failed" }, message: error instanceof Error ? error.message : String(error) });
  } finally {
    thread?.rest();
  }
}

class JobThread {
  readonly #job: ThreadJob;
  readonly #send: Send;
  readonly #control: Int32Array;
  readonly #outbox: Outbox;
  readonly #files: FileWork | undefined;
  readonly #ignored = new LeftOutFiles({ visitsIgnored: true });
  readonly #hidden = new LeftOutFiles({ includeHidden: true });
  #unreadable = 0;
  /** Bytes taken of the budget that make no whole KiB yet. */
  #uncharged = 0;

  constructor(job: Job, send: Send) {
    this.#job = { ...job, onPlainDisk: isOnPlainDisk(job.root) };
    this.#send = send;
    this.#control = new Int32Array(job.control);
    this.#outbox = new Outbox(this.#control, send, this.#check);
    this.#files = this.#createFiles();
  }

  lead(joins: MessagePort): void {
    const { work, rootKind } = this.#job;
    if (work.kind === "survey") {
      const found = survey(this.#job, work, this.#check);
      return this.#send({ ...this.report(), survey: found });
    }
    const dispatcher: Dispatcher = new Dispatcher(this.#control, joins, (batch) => this.#search(batch, (rest, from) => dispatcher.split(rest, from)), this.#check);
    let stopped: "budget" | undefined;
    try {
      if (rootKind === "file") dispatcher.add("");
      else this.#walk(work.kind === "glob" ? work.pattern : work.glob, dispatcher);
      dispatcher.flush();
      dispatcher.finish();
      if (work.kind === "grep" && work.glob === undefined && Atomics.load(this.#control, controlSlots.found) === 0) this.#countLeftOut();
    } catch (error) {
      if (!(error instanceof Stop) || error.reason !== "budget") throw error;
      stopped = "budget";
      dispatcher.flush();
    } finally {
      dispatcher.close();
    }
    this.#send(this.report(stopped));
  }

  help(batches: MessagePort, slot: number): void {
    try {
      for (;;) {
        // Asked first: a helper that came too late to be welcomed gets no last message.
        const leaderIsDone = Atomics.load(this.#control, controlSlots.leadDone) === 1;
        const received: { message: Batch | undefined } | undefined = receiveMessageOnPort(batches);
        if (!received) {
          if (leaderIsDone) break;
          this.#check();
          Atomics.wait(this.#control, slot, 0, napMs);
          continue;
        }
        if (!received.message) break;
        this.#search(received.message, (rest, from) => splitForLeader(this.#control, batches, rest, from));
        Atomics.sub(this.#control, slot, 1);
        tellLeader(this.#control);
      }
    } finally {
      Atomics.store(this.#control, slot, helperLeft);
      tellLeader(this.#control);
      batches.close();
    }
    this.#send(this.report());
  }

  rest(): void {
    this.#files?.rest();
    this.#outbox.rest();
  }

  report(stopped?: StopReason): ThreadReport {
    const counts = this.#files?.counts ?? noCounts;
    return {
      kind: "report",
      ...counts,
      unreadable: counts.unreadable + this.#unreadable,
      ignoredFiles: this.#ignored.count,
      ignoredComplete: this.#ignored.complete,
      hiddenFiles: this.#hidden.count,
      hiddenComplete: this.#hidden.complete,
      newest: this.#files?.newest ?? [],
      ...(stopped && { stopped }),
    };
  }

  #createFiles(): FileWork | undefined {
    const { work } = this.#job;
    if (work.kind === "grep") return new GrepFiles(this.#job, work, this.#outbox, this.#check, this.#taken);
    return work.kind === "glob" ? new GlobFiles(this.#job, work, this.#outbox) : undefined;
  }

  #walk(glob: string | undefined, dispatcher: Dispatcher): void {
    const { includeHidden, work, maxFiles } = this.#job;
    const matcher = glob === undefined ? undefined : globMatcher(glob, { matchesHidden: includeHidden, ignoreCase: false, namesAtAnyDepth: work.kind === "grep" });
    let files = 0;
    const goOn = (): void => {
      this.#check();
      dispatcher.flushOld();
    };
    walk(
      { ...walkOptions(this.#job), glob: matcher },
      {
        file: (path) => {
          files += 1;
          if (files > maxFiles) throw new Stop("budget");
          dispatcher.add(path);
        },
        directory: goOn,
        entry: goOn,
        unreadable: () => {
          this.#unreadable += 1;
        },
        ignored: (path, isDirectory) => this.#ignored.add(path, isDirectory),
        hidden: (path, isDirectory) => this.#hidden.add(path, isDirectory),
      },
    );
  }

  #countLeftOut(): void {
    const until = Date.now() + hintTimeoutMs;
    for (const leftOut of [this.#ignored, this.#hidden]) leftOut.countBelow(this.#job, until, this.#check);
  }

  /** @param split may give some of the files from a place on to a thread that has nothing to do */
  #search(given: Batch, split: (batch: Batch, from: number) => Batch | undefined): void {
    let batch = given;
    this.#outbox.begin(batch.number);
    try {
      for (let index = 0; index < batch.files.length; index += 1) {
        this.#check();
        batch = split(batch, index) ?? batch;
        this.#files?.file(batch.files[index] ?? "");
      }
      this.#outbox.end(batch.next);
    } catch (error) {
      if (error instanceof Stop) this.#outbox.abandon(batch.next);
      throw error;
    }
  }

  readonly #check = (): void => {
    if (Atomics.load(this.#control, controlSlots.cancelled) === 1) throw new Stop("cancelled");
    if (Atomics.load(this.#control, controlSlots.overBudget) === 1) throw new Stop("budget");
    if (Date.now() >= this.#job.deadline) throw new Stop("timeout");
  };

  readonly #taken = (bytes: number): void => {
    if (this.#job.maxBytes === Number.MAX_SAFE_INTEGER) return;
    this.#uncharged += bytes;
    const kibibytes = Math.floor(this.#uncharged / 1024);
    this.#uncharged -= kibibytes * 1024;
    if (Atomics.add(this.#control, controlSlots.kibibytesTaken, kibibytes) * 1024 <= this.#job.maxBytes) return;
    // The others end as well: one may be waiting for the results of a batch that this thread leaves.
    Atomics.store(this.#control, controlSlots.overBudget, 1);
    throw new Stop("budget");
  };
}
