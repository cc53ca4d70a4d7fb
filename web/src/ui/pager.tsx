import { COUNT_CAP, PAGE_SIZES } from '@mooring/contract/kit/page';
import { useState } from 'react';
import { IconButton } from './button.tsx';
import { Select, TextInput } from './controls.tsx';
import { useFormat, useT } from './words.ts';

export interface PagerProps {
  /** Of which list. */
  of: string;
  number: number;
  size: number;
  total: number;
  capped: boolean;
  hasNext: boolean;
  hasPrev: boolean;
  /** Pages from the end, where nobody counted those before. */
  fromEnd?: number | undefined;
  shown: number;
  onFromEnd: (back: number) => void;
  onGo: (number: number) => void;
  onLast: () => void;
  onSize: (size: number) => void;
}

export function Pager({ of, number, size, total, capped, hasNext, hasPrev, fromEnd, shown, onGo, onFromEnd, onLast, onSize }: PagerProps) {
  const t = useT();
  const format = useFormat();
  const [typed, setTyped] = useState('');
  const pages = Math.max(1, Math.ceil(total / size));
  const from = total === 0 ? 0 : (number - 1) * size + 1;
  const to = capped ? number * size : Math.min(total, number * size);
  const jump = () => {
    const wanted = Number(typed);
    setTyped('');
    if (Number.isInteger(wanted) && wanted >= 1) onGo(Math.min(wanted, pages));
  };
  return (
    <nav className="m-pager" aria-label={t('kit.act.of', { act: t('kit.pager.label'), name: of })}>
      <span className="m-muted m-pager-total" aria-live="polite">
        {fromEnd !== undefined
          ? t(fromEnd === 0 ? 'kit.pager.end' : 'kit.pager.nearEnd', { count: format.number(shown), total: format.total(total, capped) })
          : t('kit.pager.range', { from: format.number(from), to: format.number(to), total: format.total(total, capped) })}
      </span>
      <span className="m-pager-size">
        <Select
          value={size}
          onChange={(next) => next && onSize(next)}
          label={t('kit.pager.size')}
          width={140}
          options={[...new Set([...PAGE_SIZES, size])]
            .sort((a, b) => a - b)
            .map((value) => ({
              value,
              label: t(value === COUNT_CAP ? 'kit.pager.all' : 'kit.pager.perPage', { size: format.number(value) }),
            }))}
        />
      </span>
      <span className="m-row m-pager-pages">
        <IconButton
          small
          icon="left"
          label={t('kit.pager.prev')}
          disabled={!hasPrev}
          onClick={() => (fromEnd === undefined ? onGo(number - 1) : onFromEnd(fromEnd + 1))}
        />
        <span className="m-pager-page">
          {fromEnd !== undefined
            ? t(fromEnd === 0 ? 'kit.pager.last' : 'kit.pager.beforeLast', { pages: format.number(fromEnd) })
            : capped
              ? t('kit.pager.pageOpen', { number: format.number(number) })
              : t('kit.pager.page', { number: format.number(number), pages: format.number(pages) })}
        </span>
        <IconButton
          small
          icon="right"
          label={t('kit.pager.next')}
          disabled={!hasNext}
          onClick={() => (fromEnd === undefined ? onGo(number + 1) : onFromEnd(fromEnd - 1))}
        />
        {capped && hasNext ? (
          <button type="button" className="m-plain m-link m-small" onClick={onLast}>
            {t('kit.pager.last')}
          </button>
        ) : null}
      </span>
      {pages > 3 ? (
        <span className="m-pager-jump">
          <TextInput
            value={typed}
            onChange={(value) => setTyped(value.replace(/\D/g, '').slice(0, 6))}
            onEnter={jump}
            label={t('kit.pager.jump')}
            placeholder={t('kit.pager.jump')}
            inputMode="numeric"
          />
        </span>
      ) : null}
    </nav>
  );
}
