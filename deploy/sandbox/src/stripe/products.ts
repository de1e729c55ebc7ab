import Joi from 'joi';
import type Stripe from 'stripe';
import { now, type Context } from '../context.ts';
import { newId } from '../ids.ts';
import { emit } from '../model/emit-event.ts';
import { invalidRequest } from '../model/errors.ts';
import { defineEndpoint, retrieveEndpoint, type Endpoint } from './endpoint.ts';
import { getById } from './lookup.ts';
import { matches, pageParams, paginate, type PageParams } from './pagination.ts';
import { mergeMetadata, metadataParam, textParam, urlParam, type MetadataPatch } from './params.ts';

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
  url: urlParam,
  metadata: metadataParam,
});

export const addProduct = (context: Context, params: ProductParams): Stripe.Product => {
  const id = params.id ?? newId('prod', 14);
  if (context.state.products.has(id)) {
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
    created: now(context),
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
    updated: now(context),
    url: params.url ?? null,
  };
  context.state.products.set(id, product);
  emit(context, 'product.created', product);
  return product;
};

type ListParams = PageParams & {
  active?: boolean;
};

const listParams = Joi.object<ListParams>({ ...pageParams, active: Joi.boolean() });

const path = '/v1/products';

const list = (context: Context, params: ListParams): Stripe.ApiList<Stripe.Product> => {
  const filter = (product: Stripe.Product) => matches(params.active, product.active);
  return paginate(params, { rows: context.state.products.values(), url: path, filter });
};

export const productEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'post', path, params: productParams, handle: addProduct }),
  defineEndpoint({ method: 'get', path, params: listParams, handle: list }),
  retrieveEndpoint(`${path}/:id`, (context, id) => getById(context.state.products, 'product', id)),
];
