/**
 * Whether a text is a moment as Postgres writes one in UTC, to the microsecond. It must write itself back: the 30th of February is read as a day of
 * March here, and refused there.
 */
export function isExactMoment(text: string): boolean {
  const found = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d{1,6})?\+00$/.exec(text);
  if (!found) return false;
  const read = new Date(`${found[1]}T${found[2]}Z`);
  return !found[1]?.startsWith('0000') && !Number.isNaN(read.getTime()) && read.toISOString().startsWith(`${found[1]}T${found[2]}`);
}
