// Stands for the program's module: a path out of this folder would make the program's configuration a part of this one.
export * from "../templates/pages/html.ts";
