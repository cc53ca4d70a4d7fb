/** The beginning of a text, so that the database takes it: no half of a character at its end or elsewhere, no NUL. */
export function cut(text: string, most: number): string {
  const begin = text.slice(0, most);
  const whole = begin.length < text.length && /[\uD800-\uDBFF]$/.test(begin) ? begin.slice(0, -1) : begin;
  return whole.toWellFormed().replaceAll('\0', '�');
}
