import { route } from '../../kit/route.ts';

const form = () => import('./product-form.page.ts').then((found) => found.productForm);

export const productRoutes = [
  route({
    path: '/device/product',
    platform: 'manager',
    title: 'product.title',
    keepAlive: true,
    load: () => import('./product-list.page.tsx').then((found) => found.productList),
  }),
  route({ path: '/device/product/new', platform: 'manager', title: 'product.add', parent: '/device/product', load: form }),
  route({
    path: '/device/product/:id',
    platform: 'manager',
    title: 'product.title',
    parent: '/device/product',
    load: () => import('./product.page.tsx').then((found) => found.productPage),
  }),
  route({ path: '/device/product/:id/edit', platform: 'manager', title: 'product.edit', parent: '/device/product', load: form }),
];
