interface Version {
  readonly versionName: string;
  readonly versionCode: number;
}
/** What people call a version: its name, or its code where it has none. */
export const nameOf = ({ versionName, versionCode }: Version): string => versionName || String(versionCode);

/** What terminals call it, each name once: the one of every other language first. */
export const labelsOf = ({ labels }: { readonly labels: Readonly<Record<string, string>> }): string[] => [
  ...new Set(
    Object.entries(labels)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, name]) => name),
  ),
];

const releases: Readonly<Record<number, string>> = {
  21: '5.0',
  22: '5.1',
  23: '6.0',
  24: '7.0',
  25: '7.1',
  26: '8.0',
  27: '8.1',
  28: '9',
  29: '10',
  30: '11',
  31: '12',
  32: '12L',
  33: '13',
  34: '14',
  35: '15',
  36: '16',
};
/** Of an API level the Android that people know it by. */
export const androidOf = (level: number): string | undefined => releases[level];
