import Joi from 'joi';
import type Stripe from 'stripe';
import { newId } from '../ids.ts';
import { now, type World } from '../context.ts';
import { door, retrieveDoor, type Door } from './endpoint.ts';
import { emit } from '../model/emit-event.ts';
import { invalidRequest } from '../model/errors.ts';
import { getFrom } from './lookup.ts';
import { fits, page, pageParams, type PageParams } from './pagination.ts';
import { addressParam, mergeMetadata, metadataParam, textParam, type MetadataPatch } from './params.ts';

export type ProductParams = {
  id?: string;
  name: string;
  description?: string;
  active: boolean;
  url?: string;
  metadata?: MetadataPatch;
};

export const productParams = Joi.object<ProductParams>({
  id: Joi.string().max(255),
  name: textParam.required(),
  description: textParam.allow(''),
  active: Joi.boolean().default(true),
  url: addressParam,
  metadata: metadataParam,
});

export const addProduct = (world: World, params: ProductParams): Stripe.Product => {
  const id = params.id ?? newId('prod', 14);
  if (world.state.products.has(id)) {
    throw invalidRequest({
      message: `Product already exists: ${id}`,
      code: 'resource_already_exists',
      param: 'id',
    });
  }
  const product: Stripe.Product = {
    id,
    object: 'product',
    active: params.active,
    created: now(world),
    default_price: null,
    description: params.description || null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: mergeMetadata({}, params.metadata),
    name: params.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: now(world),
    url: params.url ?? null,
  };
  world.state.products.set(id, product);
  emit(world, 'product.created', product);
  return product;
};

type ListParams = PageParams & {
  active?: boolean;
};

const listParams = Joi.object<ListParams>({ ...pageParams, active: Joi.boolean() });

const list = (world: World, params: ListParams): Stripe.ApiList<Stripe.Product> => {
  const keep = (product: Stripe.Product) => fits(params.active, product.active);
  return page(params, { rows: world.state.products.values(), url: '/v1/products', keep });
};

const path = '/v1/products';

export const productDoors: Door[] = [
  door({ method: 'post', path, params: productParams, run: addProduct }),
  door({ method: 'get', path, params: listParams, run: list }),
  retrieveDoor(`${path}/:id`, (world, id) => getFrom(world.state.products, 'product', id)),
];
