/** No more than so many code units of a text, and no half of a character. */
export function cutTo(text: string, most: number): string {
  if (text.length <= most) return text;
  let cut = '';
  for (const character of text) {
    if (cut.length + character.length > most) break;
    cut += character;
  }
  return cut;
}

/** As long as a name may be. */
export const NAME_MOST = 64;
/** The name of a version where names are told alone: the first one bears its name as it is. */
export function numbered({ name, number }: { readonly name: string; readonly number: number | null }): string {
  const end = number === null || number < 2 ? '' : ` · ${number}`;
  return `${cutTo(name, NAME_MOST - end.length)}${end}`;
}
