import { useFormat, useT } from '../../../ui/words.ts';

/** How a figure stands beside the one of the period before, in words. */
export function Difference({ now, before }: { now: number | null; before: number | null }) {
  const t = useT();
  const format = useFormat();
  if (now === null || before === null) return <span>{t('home.difference.none')}</span>;
  if (before === 0) return <span>{t('home.difference.zero')}</span>;
  const share = (now - before) / before;
  const text = format.percent(Math.abs(share), Math.abs(share) < 0.1 ? 1 : 0);
  if (Math.abs(share) < 0.0005) return <span>{t('home.difference.same')}</span>;
  return <span>{t(share > 0 ? 'home.difference.more' : 'home.difference.less', { share: text })}</span>;
}
