import type { Tone } from '@mooring/contract/kit/state-machine';

/** In a square of twelve. */
export const shapes: Record<Tone, string> = {
  idle: 'M6 1.5a4.5 4.500 0 1 0 0 9a4.500 4.500 0 1 0 0-9z',
  away: 'M6 1.500a4.500 4.500 0 1 0 0 9a4.500 4.500 0 1 0 0-9z',
  kept: 'M2 2h8v8h-8z',
  wait: 'M6 1.200L11 10.500H1z',
  busy: 'M6 1.500a4.500 4.500 0 1 0 0 9a4.500 4.500 0 1 0 0-9z',
  good: 'M6 1.500a4.500 4.500 0 1 0 0 9a4.500 4.500 0 1 0 0-9z',
  bad: 'M6 .8L11.200 6L6 11.200L.8 6z',
  ended: 'M1.800 1.800h8.400v8.400h-8.400z',
};

/** The mark of a tone: colour and shape, so that it is told apart without the colour too. */
export function ToneMark({ tone, size = 12 }: { tone: Tone; size?: number }) {
  return (
    <svg className="m-tone" width={size} height={size} viewBox="0 0 12 12" aria-hidden="true">
      <path d={shapes[tone]} fill={`var(--${tone})`} stroke={`var(--${tone}-edge)`} strokeWidth="1.3" strokeLinejoin="round" />
      {tone === 'busy' ? (
        <path
          d="M6 3.300V6l1.900 1.200"
          fill="none"
          stroke={`var(--${tone}-edge)`}
          strokeWidth="1.300"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      ) : null}
      {tone === 'good' ? (
        <path
          d="M3.900 6.100l1.500 1.500 2.800-3"
          fill="none"
          stroke="#04263a"
          strokeWidth="1.300"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      ) : null}
    </svg>
  );
}

/** Dot, shape and word. */
export function StatusTag({ tone, children, about }: { tone: Tone; children: string; about?: string }) {
  return (
    <span className="m-status" title={about}>
      <ToneMark tone={tone} />
      <span className="m-clip">{children}</span>
    </span>
  );
}

/** A quiet word in a box: a kind, a label, a count. */
export function Tag({ children, tone = 'plain' }: { children: string | number; tone?: 'plain' | 'info' | 'warn' | 'danger' | 'accent' }) {
  return <span className={`m-tag m-tag-${tone}`}>{children}</span>;
}
