/** Whose turn is first: what somebody waits for at a door, what the installation does by itself, what somebody looks on at, what asks other machines, files of many rows, what can wait. */
export const turns = { door: -10, soon: 0, work: 10, asking: 12, file: 15, late: 20 } as const;

/**
 * What keeps one person from queueing any number:
 * `rate`: what asks for it is counted by address and by person;
 * `row`: one at most waits for each row, or set of rows, that it is about; without a key of its caller it is done as the system, for whoever asked;
 * `work`: it is a background job, of which each person has so many (MOST_OPEN in work.ts).
 */
export interface QueuedJob {
  readonly turn: keyof typeof turns;
  readonly bound: 'rate' | 'row' | 'work';
}

/** The kinds of jobs that an act of somebody queues. The others come by their schedule. A test holds it complete. */
export const queuedJobs: Readonly<Record<string, QueuedJob>> = {
  'auth:send-code': { turn: 'door', bound: 'rate' },
  'auth:register-code': { turn: 'door', bound: 'rate' },
  // Codes, links and passwords.
  'mail:send-sealed': { turn: 'door', bound: 'row' },
  'mail:send': { turn: 'soon', bound: 'row' },
  'message:deliver': { turn: 'soon', bound: 'row' },
  'message:withdraw': { turn: 'soon', bound: 'row' },
  'alert:consume': { turn: 'soon', bound: 'row' },
  'geofence:look': { turn: 'soon', bound: 'row' },
  'message:notice': { turn: 'soon', bound: 'row' },
  'approval:ask': { turn: 'soon', bound: 'row' },
  'approval:askOthers': { turn: 'soon', bound: 'row' },
  'approval:askAgain': { turn: 'soon', bound: 'row' },
  'rollout.followDevices': { turn: 'soon', bound: 'row' },
  'rollout.swapDevices': { turn: 'soon', bound: 'row' },
  'rollout.tellWindows': { turn: 'soon', bound: 'row' },
  'rollout.joinPreTasks': { turn: 'soon', bound: 'row' },
  'app:pauseReleases': { turn: 'soon', bound: 'row' },
  'rollout:publish': { turn: 'asking', bound: 'row' },
  'app:makeDifferences': { turn: 'late', bound: 'row' },
  'app:tellHolders': { turn: 'soon', bound: 'row' },
  'app:tellSubscribers': { turn: 'soon', bound: 'row' },
  'signing:sign': { turn: 'work', bound: 'row' },
  'file:assemble': { turn: 'work', bound: 'row' },
  'device.bulk': { turn: 'work', bound: 'work' },
  'hardware-test.many': { turn: 'work', bound: 'work' },
  'customer.register': { turn: 'work', bound: 'work' },
  'device:import': { turn: 'file', bound: 'work' },
  'device:change': { turn: 'file', bound: 'work' },
  'account:import': { turn: 'work', bound: 'work' },
  'org:import': { turn: 'work', bound: 'work' },
  'inventory.many': { turn: 'work', bound: 'work' },
  'inventory.chosen': { turn: 'work', bound: 'work' },
  'inventory:import': { turn: 'work', bound: 'work' },
  'inventory:sync': { turn: 'late', bound: 'row' },
  'merchant:import': { turn: 'work', bound: 'work' },
  'order:tellMany': { turn: 'soon', bound: 'row' },
  'order:import': { turn: 'work', bound: 'work' },
  'merchant:importShops': { turn: 'work', bound: 'work' },
  'settings:importEntries': { turn: 'work', bound: 'work' },
  'org:regroup': { turn: 'work', bound: 'work' },
  'org:sweep': { turn: 'work', bound: 'row' },
  'work:export': { turn: 'late', bound: 'work' },
  'audit:verify': { turn: 'late', bound: 'work' },
  'file:free': { turn: 'late', bound: 'row' },
  'file:blob': { turn: 'late', bound: 'row' },
  'paramfile:bytes': { turn: 'late', bound: 'row' },
};
