/** What keeps a version from being released after `last`, by its changelog; undefined where nothing does. */
export function versionFault(version: string, last: string, changelog: string): string | undefined {
  if (compare(version, last) <= 0)
    return `Version ${version} isn’t above ${last}, the last release (database/last-release.json): raise it in package.json.`;
  const named = /^## (\d+\.\d+\.\d+)/m.exec(changelog)?.[1];
  return named === version ? undefined : `CHANGELOG.md begins with ${named ?? 'no version'}; this is ${version}.`;
}

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((one) => one.split('.').map(Number));
  for (const [at, part] of (left ?? []).entries()) {
    const other = right?.[at] ?? 0;
    if (part !== other) return part - other;
  }
  return 0;
}
