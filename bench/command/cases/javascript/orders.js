// A small order book: prices orders, applies discounts and prints a report.
"use strict";

const TAX_RATES = { food: 0.07, books: 0.05, other: 0.19 };

class Catalogue {
  constructor() {
    this.items = new Map();
    this.changes = [];
  }

  add(name, price, kind = "other") {
    if (price < 0) {
      throw new RangeError(`negative price for ${name}`);
    }
    this.items.set(name, { name, price, kind });
    this.changes.push({ what: "add", name });
    return this;
  }

  remove(name) {
    this.items.delete(name);
    this.changes.push({ what: "remove", name });
  }

  get(name) {
    return this.items.get(name);
  }

  *[Symbol.iterator]() {
    for (const item of this.items.values()) {
      yield item;
    }
  }
}

class Order {
  constructor(customer, lines = []) {
    this.customer = customer;
    this.lines = lines;
    this.discounts = [];
  }

  addLine(name, count) {
    this.lines.push({ name, count });
    return this;
  }

  discount(share, reason) {
    this.discounts.push({ share, reason });
    return this;
  }

  total(catalogue) {
    let sum = 0;
    for (const { name, count } of this.lines) {
      const item = catalogue.get(name);
      const net = item.price * count;
      sum += net * (1 + TAX_RATES[item.kind]);
    }
    const share = this.discounts.reduce((left, { share }) => left * (1 - share), 1);
    return Math.round(sum * share * 100) / 100;
  }
}

function format(amount, currency = "EUR") {
  const [whole, cents = "00"] = String(amount).split(".");
  return `${whole}.${cents.padEnd(2, "0")} ${currency}`;
}

function report(orders, catalogue) {
  const lines = [];
  let sum = 0;
  for (const order of orders) {
    const total = order.total(catalogue);
    sum += total;
    lines.push(`${order.customer.padEnd(10)} ${format(total)}`);
  }
  lines.push("-".repeat(20));
  lines.push(`${"sum".padEnd(10)} ${format(sum)}`);
  return lines.join("\n");
}

function stock() {
  const catalogue = new Catalogue();
  catalogue.add("tea", 4.5, "food").add("mug", 9).add("novel", 12.8, "books");
  catalogue.add("lamp", 35).add("rice", 2.2, "food");
  catalogue.remove("lamp");
  return catalogue;
}

const catalogue = stock();
const orders = [
  new Order("Ada").addLine("tea", 3).addLine("novel", 1),
  new Order("Grace").addLine("mug", 2).discount(0.1, "loyal"),
  new Order("Edsger").addLine("rice", 10).addLine("lamp", 1).discount(0.05, "first order"),
  new Order("Barbara").addLine("novel", 2),
];

for (const item of catalogue) {
  console.log(item.name, format(item.price));
}
console.log(report(orders, catalogue));
