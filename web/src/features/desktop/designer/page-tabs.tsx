import type { ScreenLayout } from '@mooring/contract/desktop/layout';
import { contentLimits } from '@mooring/contract/desktop/limits';
import { Button, IconButton } from '../../../ui/button.tsx';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { useT } from '../../../ui/words.ts';
import { addPage, movePage, removePage } from './edits.ts';

interface TabsProps {
  layout: ScreenLayout;
  page: number;
  onTurn: (page: number) => void;
  onPut: (layout: ScreenLayout) => void;
  disabled: boolean;
}

/** The pages of one screen, in the order in which a terminal shows them. */
export function PageTabs({ layout, page, onTurn, onPut, disabled }: TabsProps) {
  const t = useT();
  const last = layout.pages.length - 1;
  const moveTo = (key: 'first' | 'earlier' | 'later', to: number) => ({
    key,
    label: t(`desktop.page.move.${key}`),
    disabled: to < 0 || to > last || to === page,
    onClick: () => {
      onPut(movePage(layout, page, to));
      onTurn(to);
    },
  });
  return (
    <nav className="m-designer-pages" aria-label={t('desktop.pages')}>
      {layout.pages.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a page is its place
        <Button key={at} small look={at === page ? 'primary' : 'default'} onClick={() => onTurn(at)}>
          {t('desktop.page', { number: at + 1 })}
        </Button>
      ))}
      <IconButton
        small
        icon="add"
        label={t('desktop.page.add')}
        disabled={disabled || layout.pages.length >= contentLimits.pages}
        onClick={() => {
          onPut(addPage(layout));
          onTurn(layout.pages.length);
        }}
      />
      <MenuButton items={[moveTo('first', 0), moveTo('earlier', page - 1), moveTo('later', page + 1)]}>
        <Button small disabled={disabled || last === 0}>
          {t('desktop.page.move')}
        </Button>
      </MenuButton>
      <IconButton
        small
        icon="delete"
        label={t('desktop.page.remove')}
        disabled={disabled || last === 0}
        onClick={() => {
          onPut(removePage(layout, page));
          onTurn(Math.max(0, page - 1));
        }}
      />
    </nav>
  );
}
