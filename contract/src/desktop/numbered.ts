/** The name of a version where names are told alone: the first one bears its name as it is. */
export const numbered = ({ name, number }: { readonly name: string; readonly number: number | null }): string =>
  number === null || number < 2 ? name : `${name.slice(0, 56)} · ${number}`;
