import { Customization, customizationCalls } from '@mooring/contract/desktop/customization';
import { useProducts } from '../../kit/choices.ts';
import { formPage } from '../../kit/form/form-page.tsx';
import { PictureControl } from './picture-control.tsx';

export const customizationForm = formPage(Customization, customizationCalls, {
  path: '/pos/customization',
  fields: [
    'name',
    { name: 'productId', useChoices: useProducts },
    { name: 'bootPictureId', Control: PictureControl },
    { name: 'wallpaperId', Control: PictureControl },
    'statusBar',
    'navigationKeys',
    'brightness',
    'volume',
    'screenSeconds',
    'locale',
    'timeZone',
    { name: 'remark', kind: 'area' },
  ],
});
