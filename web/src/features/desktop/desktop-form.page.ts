import { Desktop, desktopCalls } from '@mooring/contract/desktop/desktop';
import { useProducts } from '../../kit/choices.ts';
import { formPage } from '../../kit/form/form-page.tsx';
import { Designer } from './designer/designer.tsx';

export const desktopForm = formPage(Desktop, desktopCalls, {
  path: '/diyDesktop',
  initial: { layout: { columns: 4, rows: 6, width: 720, height: 1280, wallpaperId: null, pages: [{ tiles: [] }], dock: [] } },
  fields: [
    'name',
    { name: 'productId', useChoices: useProducts },
    { name: 'layout', Control: Designer, wide: true },
    { name: 'remark', kind: 'area' },
  ],
});
