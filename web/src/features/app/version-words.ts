/** A version as people know it, with the code that orders it: names are free text, and two may be the same. */
export const versionWords = ({ versionName, versionCode }: { readonly versionName: string; readonly versionCode: number | null }): string =>
  [versionName, versionCode === null ? '' : `(${versionCode})`].filter(Boolean).join(' ');
