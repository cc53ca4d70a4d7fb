/** Around the first place of what was searched for. */
const BEFORE = 40;
const LENGTH = 160;

/** The next beginning of a word, where there is one near: Chinese has none. */
function wordFrom(text: string, at: number): number {
  const space = text.indexOf(' ', at);
  return at === 0 || space < 0 || space > at + 15 ? at : space + 1;
}

/** Of an article's words, title first, the part that is found; its beginning where that is the title alone. */
export function excerptOf(words: string, text: string): { excerpt: string; inTitle: boolean } {
  const cut = words.indexOf('\n');
  const [title, body] = [words.slice(0, cut), words.slice(cut + 1).replace(/\s+/g, ' ')];
  const wanted = text
    .toLowerCase()
    .split(/[\s()·]+/)
    .filter(Boolean);
  const places = wanted.map((word) => body.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const from = wordFrom(body, Math.max(0, Math.min(...(places.length > 0 ? places : [0])) - BEFORE));
  const rest = body.slice(from);
  const end = rest.length > LENGTH ? Math.max(rest.lastIndexOf(' ', LENGTH), LENGTH - 15) : rest.length;
  return {
    excerpt: `${from > 0 ? '…' : ''}${rest.slice(0, end)}${end < rest.length ? '…' : ''}`,
    inTitle: wanted.some((word) => title.toLowerCase().includes(word)),
  };
}
