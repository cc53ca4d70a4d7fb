import { Product, productCalls } from '@mooring/contract/product/calls';
import { ConfigControl } from '../../kit/form/config-control.tsx';
import { formPage } from '../../kit/form/form-page.tsx';
import { mayCall } from '../../kit/session.ts';
import { pictureControl } from '../../kit/upload/picture-control.tsx';
import { leadOn } from './lead-on.ts';
import { PRODUCTS } from './product-actions.ts';

export const productForm = formPage(Product, productCalls, {
  path: PRODUCTS,
  next: leadOn,
  initial: { category: 'smartPos', publish: true },
  fields: [
    'code',
    'name',
    'category',
    'firmId',
    'industry',
    'networks',
    'packageKinds',
    'androidSdk',
    'abis',
    'heartbeatSeconds',
    'lowBatteryPercent',
    'storageFullPercent',
    'silentHours',
    { name: 'config', Control: ConfigControl, wide: true },
    'remark',
    { name: 'photoId', Control: pictureControl('product.photo.remove'), wide: true },
    { name: 'publish', when: (values) => !('id' in values) && mayCall(productCalls.publish) },
  ],
});
