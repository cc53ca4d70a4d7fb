import { Customization, customizationCalls } from '@mooring/contract/desktop/customization';
import { useProducts } from '../../kit/choices.ts';
import { formPage } from '../../kit/form/form-page.tsx';
import { pictureControl } from '../../kit/upload/picture-control.tsx';

const Picture = pictureControl('customization.picture.remove');

export const customizationForm = formPage(Customization, customizationCalls, {
  path: '/pos/customization',
  fields: [
    'name',
    { name: 'productId', useChoices: useProducts },
    { name: 'bootPictureId', Control: Picture },
    { name: 'wallpaperId', Control: Picture },
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
