/** What a terminal can be asked to test of itself; docs/device-protocol.md says how. */
export const hardwareParts = ['printer', 'screen', 'cardReader', 'nfc', 'scanner', 'network', 'battery'] as const;
export type HardwarePart = (typeof hardwareParts)[number];

/** What became of a part: `absent` is one that this terminal doesn't have. */
export const partOutcomes = ['passed', 'failed', 'absent'] as const;
export type PartOutcome = (typeof partOutcomes)[number];

/** Why a part failed; terminals may say others, which are shown as they come. */
export const partReasons = [
  'paperOut',
  'overheated',
  'noAnswer',
  'noCard',
  'notRead',
  'noSignal',
  'lowCharge',
  'worn',
  'refusedByPerson',
  'notTested',
] as const;
