import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/states.tsx';
import { useT } from '../ui/words.ts';
import { go } from './view.ts';

/** In the place of a page that an address leads to, and none of one's roles. */
export function NoAccess() {
  const t = useT();
  return (
    <Empty icon="lock" title={t('kit.noAccess.title')} text={t('kit.noAccess.text')}>
      <Button look="primary" onClick={() => go('/')}>
        {t('kit.noAccess.home')}
      </Button>
    </Empty>
  );
}
