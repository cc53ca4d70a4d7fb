import bidiFactory from 'bidi-js';
import { type FontName, fontFor } from './fonts.ts';

const bidi = bidiFactory();
/** Letters of one font and one direction, as they are drawn from left to right. */
export interface Run {
  readonly text: string;
  readonly font: FontName;
}
export type Direction = 'ltr' | 'rtl';
/** How wide something is in a font. */
export type Measure = (run: Run) => number;

const UNKNOWN = '?';
// Marks that say a direction have done their work once the order is known; other characters that can't be seen would be drawn as boxes.
const drawn = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}]/gu, '');
const isArabic = (text: string) => /\p{Script=Arabic}/u.test(text);

/** What may stand alone at the end of a line: a word with what follows it closely, a single Han character, or spaces. */
const pieces = (text: string): string[] =>
  text.match(
    /\s+|[（“‘《「『【〔]*[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}][，。；：、！？）”’》」』】〕…]*|[^\s\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]+/gu,
  ) ?? [];

/** Runs of one font, letter by letter, in the order of reading. */
function runsOf(text: string): Run[] {
  const runs: { text: string; font: FontName }[] = [];
  for (const char of drawn(text)) {
    const last = runs.at(-1);
    const found = fontFor(char, last?.font);
    const font = found ?? last?.font ?? 'latin';
    const shown = found ? char : UNKNOWN;
    if (last && last.font === font) last.text += shown;
    else runs.push({ text: shown, font });
  }
  return runs;
}

const widthOf = (text: string, measure: Measure) => runsOf(text).reduce((sum, run) => sum + measure(run), 0);

/** A piece that no line holds is cut between its letters. */
function cut(piece: string, width: number, measure: Measure): string[] {
  const parts: string[] = [];
  let part = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(piece)) {
    const wide = widthOf(segment, measure);
    if (part && used + wide > width) {
      parts.push(part);
      part = '';
      used = 0;
    }
    part += segment;
    used += wide;
  }
  return part ? [...parts, part] : parts;
}

export interface Line {
  readonly text: string;
  /** That of its paragraph, which need not begin with it. */
  readonly direction: Direction;
}
/** The lines of a text, each as it is read. Pieces are measured one by one, so that a long text costs no more than its length. */
export function linesOf(text: string, width: number, measure: Measure, fallback: Direction): Line[] {
  return text.split(/\r\n|\r|\n/).flatMap((paragraph) => {
    const direction = directionOf(paragraph, fallback);
    const lines: string[] = [];
    let line = '';
    let used = 0;
    for (const piece of pieces(paragraph)) {
      const wide = widthOf(piece, measure);
      if (used + widthOf(piece.trimEnd(), measure) <= width) {
        line += piece;
        used += wide;
        continue;
      }
      if (line) lines.push(line.trimEnd());
      const parts = cut(piece.trimStart(), width, measure);
      lines.push(...parts.slice(0, -1));
      line = parts.at(-1) ?? '';
      used = widthOf(line, measure);
    }
    return [...lines, line.trimEnd()].map((one) => ({ text: one, direction }));
  });
}

const MORE = '…';
/** No more lines than these; the last one says that there is more. */
export function linesWithin(text: string, most: number, width: number, measure: Measure, fallback: Direction): Line[] {
  const lines = linesOf(text, width, measure, fallback);
  const last = lines[most - 1];
  if (!last || lines.length <= most) return lines;
  const letters = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(last.text)].map(({ segment }) => segment);
  const ended = () => letters.join('').trimEnd() + MORE;
  while (letters.length > 0 && widthOf(ended(), measure) > width) letters.pop();
  return [...lines.slice(0, most - 1), { ...last, text: ended() }];
}

interface Part {
  readonly text: string;
  readonly level: number;
}
/** Stretches of one direction, as they stand from left to right: the highest level is turned first, down to the lowest odd one (UAX 9, L2). */
function turned(line: string, direction: Direction): Part[] {
  const { levels } = bidi.getEmbeddingLevels(line, direction);
  const mirrored = bidi.getMirroredCharactersMap(line, levels);
  const parts: { text: string; level: number }[] = [];
  for (let at = 0; at < line.length; at += 1) {
    const level = levels[at] ?? 0;
    const char = mirrored.get(at) ?? line[at] ?? '';
    const last = parts.at(-1);
    if (last?.level === level) last.text += char;
    else parts.push({ text: char, level });
  }
  let ordered: Part[] = parts;
  for (let level = Math.max(0, ...parts.map((part) => part.level)); level > 0; level -= 1) ordered = turnedAt(ordered, level);
  return ordered;
}
function turnedAt(parts: readonly Part[], level: number): Part[] {
  const done: Part[] = [];
  let held: Part[] = [];
  for (const part of parts) {
    if (part.level >= level) held.unshift(part);
    else {
      done.push(...held, part);
      held = [];
    }
  }
  return [...done, ...held];
}

/** One line as it is drawn from left to right. The font turns Arabic letters by itself; whatever else runs that way is turned here. */
export function visualRuns({ text: line, direction }: Line): Run[] {
  return turned(line, direction).flatMap(({ text, level }) => {
    const runs = runsOf(text);
    if (level % 2 === 0) return runs;
    return runs.reverse().map((run) => (isArabic(run.text) ? run : { ...run, text: [...run.text].reverse().join('') }));
  });
}

/** Which way a text runs by its first letter that says so; else as the document does. */
function directionOf(text: string, fallback: Direction): Direction {
  const found = /\p{L}/u.exec(text)?.[0];
  if (found === undefined) return fallback;
  return /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(found) ? 'rtl' : 'ltr';
}
