import { t } from '../../../platform/texts/translate.ts';

const MOST = 64;
/** A word in Chinese brackets stands close. */
const withWord = (name: string, word: string) => (word.startsWith('（') ? `${name}${word}` : `${name} ${word}`);

/** Says of a release's name that it goes out again; once, by whomever and in whose language it was said before. */
export function nameAgain(lang: string, name: string): string {
  const wordIn = (one: string) => t(one, 'drift.againWord');
  const plain = [lang, 'en', 'zh-CN', 'ar']
    .map(wordIn)
    .reduce((rest, word) => (rest.endsWith(word) ? rest.slice(0, -word.length).trim() : rest), name.trim());
  return withWord(plain.slice(0, MOST - wordIn(lang).length - 1).trim(), wordIn(lang));
}
