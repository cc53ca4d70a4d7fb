import { Fault } from '@mooring/contract/kit/fault';

const separators = [',', ';', '\t'] as const;

/** Spreadsheets of some countries write a semicolon, since their numbers have commas. */
function separatorIn(text: string): string {
  const head = /^[^\r\n]*/.exec(text)?.[0] ?? '';
  const counted = separators.map((sign) => ({ sign, n: head.split(sign).length }));
  return counted.reduce((most, one) => (one.n > most.n ? one : most)).sign;
}

/** CSV as RFC 4180 has it, in UTF-8, with whichever separator its first line has most of. Faults: SHEET_BROKEN, SHEET_TOO_LARGE. */
export const readCsv = (bytes: Uint8Array, most: { readonly rows: number; readonly columns: number }): string[][] => [
  ...rowsOf(bytes, most),
];

/** The same, a row at a time. */
export function* rowsOf(bytes: Uint8Array, most: { readonly rows: number; readonly columns: number }): Generator<string[]> {
  const text = decoded(bytes);
  const separator = separatorIn(text);
  let count = 0;
  let row: string[] = [];
  let cell = '';
  let at = 0;
  const endRow = () => {
    const whole = [...row, cell];
    [row, cell] = [[], ''];
    if (++count > most.rows) throw new Fault('SHEET_TOO_LARGE');
    return whole;
  };
  while (at < text.length) {
    const sign = text.charAt(at);
    if (sign === '"' && cell === '') {
      const quoted = /"([^"]*(?:""[^"]*)*)"/y;
      quoted.lastIndex = at;
      const [whole, inside] = quoted.exec(text) ?? [];
      if (whole === undefined || inside === undefined) throw new Fault('SHEET_BROKEN');
      cell = inside.replaceAll('""', '"');
      at += whole.length;
      continue;
    }
    if (sign === separator) {
      row.push(cell);
      cell = '';
      if (row.length > most.columns) throw new Fault('SHEET_TOO_LARGE');
    } else if (sign === '\n') yield endRow();
    else if (sign !== '\r') cell += sign;
    at += 1;
  }
  if (cell !== '' || row.length > 0) yield endRow();
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Fault('SHEET_BROKEN');
  }
}
