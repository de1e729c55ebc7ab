/** Rows by id, in order of creation, and those of one owner, such as the invoices of a customer. A row's owner never changes. */
export class OwnedRows<Row> extends Map<string, Row> {
  readonly #ownerOf: (row: Row) => string | null;
  readonly #byOwner = new Map<string | null, Map<string, Row>>();

  constructor(ownerOf: (row: Row) => string | null) {
    super();
    this.#ownerOf = ownerOf;
  }

  override set(id: string, row: Row): this {
    const owner = this.#ownerOf(row);
    const owned = this.#byOwner.get(owner) ?? new Map<string, Row>();
    this.#byOwner.set(owner, owned.set(id, row));
    return super.set(id, row);
  }

  override delete(id: string): boolean {
    const row = this.get(id);
    if (row !== undefined) this.#byOwner.get(this.#ownerOf(row))?.delete(id);
    return super.delete(id);
  }

  /** The rows of one owner, or all rows without one. */
  of(owner: string | null | undefined): Iterable<Row> {
    return owner === undefined ? this.values() : (this.#byOwner.get(owner)?.values() ?? []);
  }
}
