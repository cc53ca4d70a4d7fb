import { productModelCalls } from '@mooring/contract/product/model-calls';
import { productShareCalls } from '@mooring/contract/product/share-calls';
import { sql } from 'kysely';
import { handlers, type Module } from '../../platform/module.ts';
import { categories, industries } from './category.resources.ts';
import { firms } from './firm.resource.ts';
import { models } from './model.resource.ts';
import { products } from './product.resource.ts';
import { compareModels, currentModel, exportModel, modelDetail } from './read-model.ts';
import { searchReceivers, shareProduct, shares, unshareProduct } from './share.ts';
import { discardModel, importModel, publishModel, saveModel } from './write-model.ts';

const { versions: _versions, exportVersions: _export, ...modelCalls } = productModelCalls;

const { share, receivers, unshare } = productShareCalls;
const shareActs = { share, receivers, unshare };

export const product: Module = {
  name: 'product',
  resources: [products, firms, categories, industries, models, shares],
  routes: [
    ...handlers(shareActs, { share: shareProduct, receivers: searchReceivers, unshare: unshareProduct }),
    ...handlers(modelCalls, {
      detail: modelDetail,
      current: currentModel,
      compare: compareModels,
      export: exportModel,
      save: saveModel,
      import: importModel,
      discard: discardModel,
      publish: publishModel,
    }),
  ],
  // Its picture stands wherever a product is named: with its terminals, its packages, in its own list.
  fileOwners: [
    {
      table: 'product_product',
      column: 'photo_id',
      can: 'device:device:page||device:all:page||product:product:page',
      use: {
        what: 'product',
        name: sql`product_product.name`,
        at: { path: '/device/product/', id: sql`product_product.id` },
      },
    },
  ],
};
