/** Asked now and then inside long work: throws to end it (the time is up, or the search is cancelled). */
export type Meter = () => void;

export const unmetered: Meter = () => undefined;

/** How much work is done between two questions: below a millisecond of an automaton at its fastest. */
export const bytesBetweenQuestions = 262_144;

/** The same for the simulation, which is some hundred times slower. */
export const threadStepsBetweenQuestions = 200_000;

/** The same for sets of threads. */
export const wordStepsBetweenQuestions = 100_000;
