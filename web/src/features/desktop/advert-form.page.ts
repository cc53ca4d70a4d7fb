import { Advert, advertCalls } from '@mooring/contract/desktop/advert';
import { WindowControl } from '../../engines/rollout/window-control.tsx';
import { useProducts } from '../../kit/choices.ts';
import { formPage } from '../../kit/form/form-page.tsx';
import { PlaylistControl } from './playlist.tsx';

export const advertForm = formPage(Advert, advertCalls, {
  path: '/pos/advert',
  initial: { place: 'idle', items: [] },
  fields: [
    'name',
    'place',
    { name: 'productId', useChoices: useProducts },
    { name: 'items', Control: PlaylistControl, wide: true },
    'fromDay',
    'toDay',
    { name: 'hours', Control: WindowControl, wide: true },
    { name: 'remark', kind: 'area' },
  ],
});
