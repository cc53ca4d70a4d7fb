import { Product, productCalls } from '@mooring/contract/product/calls';
import { formPage } from '../../kit/form/form-page.tsx';
import { mayCall } from '../../kit/session.ts';
import { leadOn } from './lead-on.ts';

export const productForm = formPage(Product, productCalls, {
  path: '/device/product',
  next: leadOn,
  initial: { category: 'smartPos', publish: true },
  fields: [
    'code',
    'name',
    'category',
    'firm',
    'industry',
    'heartbeatSeconds',
    'networks',
    'packageKinds',
    'remark',
    { name: 'publish', when: (values) => !('id' in values) && mayCall(productCalls.publish) },
  ],
});
