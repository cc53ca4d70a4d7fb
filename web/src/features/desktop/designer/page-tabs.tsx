import type { ScreenLayout } from '@mooring/contract/desktop/layout';
import { contentLimits } from '@mooring/contract/desktop/limits';
import { Button, IconButton } from '../../../ui/button.tsx';
import { useT } from '../../../ui/words.ts';
import { addPage, removePage } from './edits.ts';

interface TabsProps {
  layout: ScreenLayout;
  page: number;
  onTurn: (page: number) => void;
  onPut: (layout: ScreenLayout) => void;
  disabled: boolean;
}

/** The pages of one screen. */
export function PageTabs({ layout, page, onTurn, onPut, disabled }: TabsProps) {
  const t = useT();
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
      <IconButton
        small
        icon="delete"
        label={t('desktop.page.remove')}
        disabled={disabled || layout.pages.length === 1}
        onClick={() => {
          onPut(removePage(layout, page));
          onTurn(Math.max(0, page - 1));
        }}
      />
    </nav>
  );
}
