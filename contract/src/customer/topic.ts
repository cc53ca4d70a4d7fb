/** What a topic may name of a message. */
export const topicParts = ['sn', 'product', 'kind'] as const;
type Part = (typeof topicParts)[number];

const PLACE = /\{(\w+)\}/g;
const isPart = (name: string): name is Part => topicParts.some((one) => one === name);
/** `+` and `#` are for who subscribes, `/` begins a new level, and control characters are no part of a topic. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is left out
const UNSAFE = /[+#/\u0000-\u001f\u007f-\u009f]/g;

/** Whether messages can be published to a topic of this pattern (MQTT 5, section 4.7); `$aws/rules/…` is what AWS IoT takes besides. */
export function isTopic(pattern: string): boolean {
  const bare = pattern.replaceAll(PLACE, (all, name: string) => (isPart(name) ? 'x' : all));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is refused
  if (/[+#{}\u0000-\u001f\u007f-\u009f]/.test(bare) || bare.startsWith('/') || bare.endsWith('/') || bare.includes('//')) return false;
  return !bare.startsWith('$') || /^\$aws\/rules\/[A-Za-z0-9_]+\/./.test(bare);
}

/** The topic of a message: what stands in for a place can't make another level or a wildcard. */
export const topicOf = (pattern: string, of: Readonly<Record<Part, string>>): string =>
  pattern.replaceAll(PLACE, (all, name: string) => (isPart(name) ? of[name].replaceAll(UNSAFE, '_') || '_' : all));
