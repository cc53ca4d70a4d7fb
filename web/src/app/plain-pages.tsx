import type { Platform } from '@mooring/contract/kit/call';
import { DeadEnd } from '../kit/dead-end.tsx';
import { useT } from '../ui/words.ts';

const NotFound = () => {
  const t = useT();
  return <DeadEnd icon="search" title={t('shell.notFound.title')} text={t('shell.notFound.text')} />;
};
export const notFoundPage = { View: NotFound };

export function NotAllowed({ platform }: { platform: Platform }) {
  const t = useT();
  const text = t('shell.notAllowed.text', { platform: t(`platform.${platform}`) });
  return <DeadEnd icon="lock" title={t('kit.noAccess.title')} text={text} />;
}
