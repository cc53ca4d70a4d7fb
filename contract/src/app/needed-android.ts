/** The lowest API level on which a version installs: its package may run on lower ones than its signature is known to. */
export const neededAndroid = ({ minSdk, validFrom }: { readonly minSdk: number; readonly validFrom: number }): number =>
  Math.max(minSdk, validFrom);
