export const isMuted = ({ mutedUntil }: { readonly mutedUntil: string | Date | null }): boolean =>
  mutedUntil !== null && Date.parse(String(mutedUntil)) > Date.now();

const HOUR = 3_600_000;
/** In an hour, to the minute. */
export const later = () => new Date(Math.ceil((Date.now() + HOUR) / 60_000) * 60_000).toISOString();

/** Until when a terminal or a rule is quiet. */
export const until = [{ name: 'until', label: 'alarm.mutedUntil', kind: 'moment', needed: true, wide: true }] as const;
