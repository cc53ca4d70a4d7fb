/** Around the first place of what was searched for. */
const BEFORE = 40;
const LENGTH = 160;

/** Of an article's words, title first, the part that is found; its beginning where that is the title alone. */
export function excerptOf(words: string, text: string): { excerpt: string; inTitle: boolean } {
  const cut = words.indexOf('\n');
  const [title, body] = [words.slice(0, cut), words.slice(cut + 1).replace(/\s+/g, ' ')];
  const wanted = text.toLowerCase().split(/[\s()·]+/).filter(Boolean);
  const places = wanted.map((word) => body.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const from = Math.max(0, Math.min(...places, body.length) === body.length ? 0 : Math.min(...places) - BEFORE);
  const excerpt = [...body.slice(from, from + LENGTH)].join('');
  return {
    excerpt: `${from > 0 ? '…' : ''}${excerpt}${from + LENGTH < body.length ? '…' : ''}`,
    inTitle: wanted.some((word) => title.toLowerCase().includes(word)),
  };
}
