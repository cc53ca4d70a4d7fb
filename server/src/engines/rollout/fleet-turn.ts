import { inTurn, inTurnOfOwner } from '../../platform/in-turn.ts';

const ofPerson = inTurnOfOwner({ atOnce: 1, queue: 2, seconds: 1 });
const ofProcess = inTurn({ atOnce: 2, queue: 30, seconds: 1 });

/**
 * Reads all terminals that a release may reach: a person's go one after the other, and a process has few at once. Begun before the first query: who
 * waits holds no connection. Fault: TOO_MANY.
 */
export const readingFleet = <T>(personId: number, work: () => Promise<T>): Promise<T> =>
  ofPerson(personId, async () => {
    const done = await ofProcess();
    return work().finally(done);
  });
