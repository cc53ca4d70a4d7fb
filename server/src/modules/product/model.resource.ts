import { ProductModel, productModelCalls } from '@mooring/contract/product/model-calls';
import { sql } from 'kysely';
import { resource } from '../../platform/resource/resource.ts';

/** The list of the versions of a product's thing model, and its export. */
export const models = resource(
  ProductModel,
  { page: productModelCalls.versions, export: productModelCalls.exportVersions },
  {
    table: 'product_model',
    small: true,
    target: (row) => `thing model version ${row.version}`,
    joined: (query) =>
      query.select(
        sql<number>`jsonb_array_length(t.model -> 'properties') + jsonb_array_length(t.model -> 'services') + jsonb_array_length(t.model -> 'events')`.as(
          'entries',
        ),
      ),
  },
);
